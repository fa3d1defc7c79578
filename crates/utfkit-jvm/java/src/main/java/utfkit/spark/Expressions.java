package utfkit.spark;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import utfkit.Encodings;
import utfkit.RepairOptions;

/** Builds the expressions of calls from arguments, which it checks. */
final class Expressions {
    private Expressions() {}

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

    /** The type of the text that a value becomes: a string keeps its collation. */
    static DataType textType(Expression text) {
        DataType type = text.dataType();
        // Not the length of a char or varchar, which are other classes: the text may be longer.
        return type.getClass() == StringType.class ? type : DataTypes.StringType;
    }

    /** utfkit_decode. An encoding that is the same for all rows has to be known. */
    static Expression decode(String function, Expression given, Expression encoding) {
        Expression text = text(function, given);
        DataType type = encoding.dataType();
        if (!(type instanceof StringType || type instanceof NullType)) {
            throw new IllegalArgumentException(function + " takes the name of an encoding, not " + type.simpleString());
        }
        Object constant = encoding.foldable() ? encoding.eval(null) : null;
        if (constant == null) {
            Expression names = type instanceof NullType ? Literal.create(null, DataTypes.StringType) : encoding;
            return Call.of(function, "decode", DataTypes.StringType, true, Call.Constant.NONE, text, names);
        }
        String name = constant.toString();
        if (Functions.isAuto(name)) {
            return Call.of(function, "decodeDetected", DataTypes.StringType, true, new Call.Constant(null, name), text);
        }
        if (Encodings.find(name) == null) {
            throw new IllegalArgumentException("unknown encoding: " + name);
        }
        return Call.of(function, "decode", DataTypes.StringType, false, new Call.Constant(name, name), text);
    }

    /** utfkit_repair with options. */
    static Expression repair(String function, Expression given, Expression options) {
        Call.Constant constant = new Call.Constant(options(function, options), options.sql());
        Expression text = text(function, given);
        return Call.of(function, "repair", textType(text), false, constant, text);
    }

    /** The options of a map of strings, the same for all rows. */
    private static RepairOptions options(String function, Expression given) {
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
        return RepairOptions.of(options);
    }
}
