package utfkit.spark;

import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Tuple3;
import scala.collection.Seq;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import utfkit.RepairOptions;

/**
 * Makes the functions of utfkit functions of SQL.
 *
 * <pre>{@code
 * spark-shell --jars utfkit-spark.jar --conf spark.sql.extensions=utfkit.spark.Extensions
 * }</pre>
 */
public final class Extensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    /** For Spark. */
    public Extensions() {}

    private static final StructType ERROR = struct(
            "offset", DataTypes.LongType, "length", DataTypes.LongType, "kind", DataTypes.StringType);

    private static final DataType FINDINGS = new ArrayType(
            struct(
                    "offset", DataTypes.LongType,
                    "length", DataTypes.LongType,
                    "line", DataTypes.LongType,
                    "column", DataTypes.LongType,
                    "bytes", DataTypes.StringType,
                    "kind", DataTypes.StringType,
                    "code_point", DataTypes.StringType,
                    "message", DataTypes.StringType),
            true);

    private static final StructType DETECTION =
            struct("encoding", DataTypes.StringType, "certainty", DataTypes.StringType);

    private static StructType struct(Object... namesAndTypes) {
        StructField[] fields = new StructField[namesAndTypes.length / 2];
        for (int at = 0; at < fields.length; at++) {
            fields[at] = DataTypes.createStructField(
                    (String) namesAndTypes[2 * at], (DataType) namesAndTypes[2 * at + 1], true);
        }
        return DataTypes.createStructType(fields);
    }

    /** Builds an expression of the arguments of a call. */
    private interface Builder {
        Expression of(String name, Expression... arguments);
    }

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        add(extensions, "is_valid", "(text) - Returns true if bytes or a string are UTF-8.", 1, 1,
                unary("isValid", DataTypes.BooleanType, false));
        add(extensions, "make_valid", "(text) - Returns a string with U+FFFD for ill-formed sequences.", 1, 1,
                text("makeValid", false));
        add(extensions, "validate", "(text) - Returns a string, or fails with the first error.", 1, 1,
                text("validate", false));
        add(extensions, "try_validate", "(text) - Returns a string, or null if it is not UTF-8.", 1, 1,
                text("tryValidate", true));
        add(extensions, "first_error", "(text) - Returns offset, length and kind of the first error, or null.", 1, 1,
                unary("firstError", ERROR, true));
        add(extensions, "check", "(text) - Returns an array of all findings, for inline.", 1, 1,
                unary("check", FINDINGS, false));
        add(extensions, "detect", "(text) - Returns the encoding that is detected, and the certainty.", 1, 1,
                unary("detect", DETECTION, false));
        add(extensions, "decode",
                "(text, encoding) - Returns a string, decoded from an encoding, or from the one detected if it is 'auto'.", 2, 2,
                (name, given) -> Expressions.decode(name, given[0], given[1]));
        add(extensions, "repair",
                "(text[, options]) - Returns a repaired string. Options are a map: 'fallback', 'reinterpret', 'undouble'.", 1, 2,
                (name, given) -> given.length == 1
                        ? text("makeValid", false).of(name, given)
                        : Expressions.repair(name, given[0], given[1]));
        add(extensions, "undouble", "(text) - Returns a string with double encoding undone.", 1, 1,
                (name, given) -> {
                    Expression text = Expressions.text(name, given[0]);
                    Call.Constant options = new Call.Constant(RepairOptions.DEFAULT.undouble(true), null);
                    return Call.of(name, "repair", Expressions.textType(text), false, options, text);
                });
        add(extensions, "version", "() - Returns the version of utfkit, and whether it has its native library.", 0, 0,
                (name, given) -> Call.of(name, "version", DataTypes.StringType, false, Call.Constant.NONE));
        return BoxedUnit.UNIT;
    }

    private static Builder unary(String function, DataType result, boolean isNullable) {
        return (name, given) -> Call.of(name, function, result, isNullable, Call.Constant.NONE, Expressions.text(name, given[0]));
    }

    private static Builder text(String function, boolean isNullable) {
        return (name, given) -> {
            Expression text = Expressions.text(name, given[0]);
            return Call.of(name, function, Expressions.textType(text), isNullable, Call.Constant.NONE, text);
        };
    }

    private static void add(
            SparkSessionExtensions extensions, String suffix, String usage, int least, int most, Builder builder) {
        String name = "utfkit_" + suffix;
        Function1<Seq<Expression>, Expression> build = new AbstractFunction1<Seq<Expression>, Expression>() {
            @Override
            public Expression apply(Seq<Expression> arguments) {
                int count = arguments.length();
                if (count < least || count > most) {
                    String many = least == most ? least + "" : least + " or " + most;
                    throw new IllegalArgumentException(
                            name + " takes " + many + (most == 1 ? " argument" : " arguments") + ", not " + count);
                }
                Expression[] given = new Expression[count];
                for (int at = 0; at < count; at++) {
                    given[at] = arguments.apply(at);
                }
                return builder.of(name, given);
            }
        };
        ExpressionInfo info = new ExpressionInfo(
                Functions.class.getName(), null, name, "_FUNC_" + usage, "", "", "", "string_funcs", "", "", "scala_udf");
        inject(extensions, new Tuple3<>(new FunctionIdentifier(name), info, build));
    }

    /** The type of Scala's sequences differs between versions of Spark, and is not there once this is compiled. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void inject(SparkSessionExtensions extensions, Tuple3 described) {
        extensions.injectFunction(described);
    }
}
