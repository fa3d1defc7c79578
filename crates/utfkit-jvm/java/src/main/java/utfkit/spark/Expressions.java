package utfkit.spark;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List$;

/**
 * Builds Catalyst's expressions: a call of a static method, which Spark compiles together with the rest of a stage.
 *
 * <p>Versions of Spark differ in the constructors of expressions, which are therefore looked up, and in the type of
 * Scala's sequences, of which a list is one in each version.
 */
final class Expressions {
    private Expressions() {}

    /** A call of a function of {@link Functions} with these arguments; null if one of them is null. */
    static Expression call(String function, DataType result, boolean isNullable, Expression... arguments) {
        return (Expression) made(
                StaticInvoke.class,
                Functions.class,
                result,
                function,
                list(Arrays.asList(arguments)),
                list(new ArrayList<Expression>()),
                // Null in, null out; null is a result; the same for the same arguments.
                true,
                isNullable,
                true);
    }

    /** The expression under the name of the call, as Spark names a column: otherwise it would show Java's names. */
    static Expression named(String function, Expression made, Expression[] arguments) {
        StringJoiner name = new StringJoiner(", ", function + "(", ")");
        for (Expression argument : arguments) {
            name.add(argument instanceof NamedExpression ? ((NamedExpression) argument).name() : argument.sql());
        }
        return (Expression) made(Alias.class, made, name.toString(), NamedExpression$.MODULE$.newExprId());
    }

    /** Calls a constructor of Scala: parameters that are not given have their defaults. */
    private static Object made(Class<?> type, Object... given) {
        try {
            Constructor<?> constructor = type.getConstructors()[0];
            Object[] values = Arrays.copyOf(given, constructor.getParameterCount());
            for (int at = given.length; at < values.length; at++) {
                Class<?> parameter = constructor.getParameterTypes()[at];
                values[at] = parameter == Option.class ? Option.empty() : list(new ArrayList<Expression>());
            }
            return constructor.newInstance(values);
        } catch (InvocationTargetException failed) {
            throw new IllegalStateException(failed.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException failed) {
            throw new IllegalStateException("utfkit does not know this version of Spark", failed);
        }
    }

    private static <T> scala.collection.immutable.List<T> list(List<T> items) {
        scala.collection.immutable.List<T> list = List$.MODULE$.<T>empty();
        for (int at = items.size() - 1; at >= 0; at--) {
            list = new $colon$colon<T>(items.get(at), list);
        }
        return list;
    }

    /** A value of bytes or a string. */
    static Expression text(String function, Expression given) {
        DataType type = given.dataType();
        if (type instanceof BinaryType || type instanceof StringType) {
            return given;
        }
        if (type instanceof NullType) {
            return Literal.create(null, DataTypes.BinaryType);
        }
        throw new IllegalArgumentException(
                function + " takes a column of bytes or strings, not of " + type.simpleString());
    }

    /** The name of an encoding: a known one if it is the same for all rows. */
    static Expression encoding(String function, Expression given) {
        DataType type = given.dataType();
        if (type instanceof NullType) {
            return Literal.create(null, DataTypes.StringType);
        }
        if (!(type instanceof StringType)) {
            throw new IllegalArgumentException(function + " takes the name of an encoding, not " + type.simpleString());
        }
        if (given.foldable()) {
            Object name = given.eval(null);
            if (name != null) {
                Functions.check(name.toString());
            }
        }
        return given;
    }

    /** The options of a map of strings, the same for all rows, as a string. */
    static Expression options(String function, Expression given) {
        boolean isMap = given.dataType() instanceof MapType
                && ((MapType) given.dataType()).keyType() instanceof StringType
                && ((MapType) given.dataType()).valueType() instanceof StringType;
        if (!isMap || !given.foldable()) {
            throw new IllegalArgumentException(
                    function + " takes options as in map('fallback', 'windows-1252', 'undouble', 'true')");
        }
        Map<String, String> options = new TreeMap<>();
        MapData map = (MapData) given.eval(null);
        for (int at = 0; map != null && at < map.numElements(); at++) {
            UTF8String value = map.valueArray().isNullAt(at) ? null : map.valueArray().getUTF8String(at);
            options.put(map.keyArray().getUTF8String(at).toString(), value == null ? null : value.toString());
        }
        // Fails for options that there are not.
        utfkit.RepairOptions.of(options);
        return options(options);
    }

    /** Options as a literal. */
    static Expression options(Map<String, String> options) {
        StringBuilder packed = new StringBuilder();
        options.forEach((name, value) -> {
            if (value != null) {
                packed.append(name).append('=').append(value).append('\n');
            }
        });
        return Literal.create(UTF8String.fromString(packed.toString()), DataTypes.StringType);
    }

    /** The options of such a literal. */
    static Map<String, String> unpacked(String packed) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String line : packed.split("\n")) {
            int at = line.indexOf('=');
            if (at > 0) {
                options.put(line.substring(0, at), line.substring(at + 1));
            }
        }
        return options;
    }
}
