package utfkit.spark;

import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.EmptyBlock$;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;

/**
 * For Spark: a call of a static method of {@link Functions} with these arguments, and at most one more that is the same for all
 * rows. Null if an argument is.
 *
 * <p>Spark compiles the call together with the rest of a stage. Its own {@code StaticInvoke} would keep each argument
 * in a field, which costs as much as a short value does.
 */
public final class Call extends Expression implements Of212, Serializable {
    private static final long serialVersionUID = 1;

    /** The method whose result differs between machines. */
    private static final String VERSION = "version";

    private final String name;
    private final String method;
    private final DataType result;
    private final boolean mayBeNull;
    private final List<Expression> arguments;
    private final Constant constant;
    private transient MethodHandle handle;

    /** An argument that is the same for all rows, or null for none, and how it is shown, or null for not at all. */
    public static final class Constant implements Serializable {
        private static final long serialVersionUID = 1;

        static final Constant NONE = new Constant(null, null);

        final Serializable value;
        final String shown;

        Constant(Serializable value, String shown) {
            this.value = value;
            this.shown = shown;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Constant && Objects.equals(value, ((Constant) other).value);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(value);
        }

        @Override
        public String toString() {
            return String.valueOf(shown);
        }
    }

    /** A call with these arguments. */
    static Call of(
            String name, String method, DataType result, boolean mayBeNull, Constant constant, Expression... arguments) {
        List<Expression> list = List$.MODULE$.<Expression>empty();
        for (int at = arguments.length - 1; at >= 0; at--) {
            list = new $colon$colon<Expression>(arguments[at], list);
        }
        return new Call(name, method, result, mayBeNull, list, constant);
    }

    /** As a case class of Scala, it has a component for each parameter. */
    public Call(String name, String method, DataType result, boolean mayBeNull, List<Expression> arguments, Constant constant) {
        this.name = name;
        this.method = method;
        this.result = result;
        this.mayBeNull = mayBeNull;
        this.arguments = arguments;
        this.constant = constant;
    }

    @Override
    public List<Expression> children() {
        return arguments;
    }

    @Override
    public Expression withNewChildrenInternal(scala.collection.immutable.IndexedSeq<Expression> children) {
        return new Call(name, method, result, mayBeNull, children.toList(), constant);
    }

    @Override
    public TreeNode<Expression> withNewChildrenInternal(scala.collection.IndexedSeq<Expression> children) {
        return new Call(name, method, result, mayBeNull, children.toList(), constant);
    }

    private Expression argument(int at) {
        return arguments.apply(at);
    }

    @Override
    public DataType dataType() {
        return result;
    }

    @Override
    public boolean nullable() {
        boolean isNullable = mayBeNull;
        for (int at = 0; at < arguments.length(); at++) {
            isNullable |= argument(at).nullable();
        }
        return isNullable;
    }

    /** False for what each machine has to say itself. */
    @Override
    public boolean foldable() {
        boolean isFoldable = !method.equals(VERSION);
        for (int at = 0; at < arguments.length(); at++) {
            isFoldable &= argument(at).foldable();
        }
        return isFoldable;
    }

    /** Lets Spark leave out null values before it calls. Of Spark 4.0 and later. */
    public boolean nullIntolerant() {
        return true;
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode made) {
        Block before = EmptyBlock$.MODULE$;
        StringJoiner isNull = new StringJoiner(" || ");
        StringJoiner values = new StringJoiner(", ", "(", ")");
        for (int at = 0; at < arguments.length(); at++) {
            ExprCode argument = argument(at).genCode(context);
            before = before.$plus(argument.code());
            isNull.add(argument.isNull().toString());
            values.add(argument.value().toString());
        }
        if (constant.value != null) {
            String type = constant.value.getClass().getName();
            values.add(context.addReferenceObj("constant", constant.value, type));
        }
        String code = "boolean " + made.isNull() + " = " + (arguments.isEmpty() ? "false" : isNull) + ";\n"
                + CodeGenerator.javaType(result) + " " + made.value() + " = " + CodeGenerator.defaultValue(result, false) + ";\n"
                + "if (!" + made.isNull() + ") {\n"
                + made.value() + " = " + Functions.class.getName() + "." + method + values + ";\n"
                + (mayBeNull ? made.isNull() + " = " + made.value() + " == null;\n" : "")
                + "}\n";
        return made.copy(before.$plus(block(code)), made.isNull(), made.value());
    }

    /** Code without parts, by the one constructor, whose parameters are sequences of Scala. */
    private static Block block(String code) {
        try {
            List<String> parts = new $colon$colon<String>(code, List$.MODULE$.<String>empty());
            return (Block) CodeBlock.class.getConstructors()[0].newInstance(parts, List$.MODULE$.empty());
        } catch (ReflectiveOperationException | IllegalArgumentException failed) {
            throw new IllegalStateException("utfkit does not know this version of Spark", failed);
        }
    }

    /** Without generated code. */
    @Override
    public Object eval(InternalRow row) {
        int count = arguments.length();
        Object[] values = new Object[constant.value == null ? count : count + 1];
        for (int at = 0; at < count; at++) {
            values[at] = argument(at).eval(row);
            if (values[at] == null) {
                return null;
            }
        }
        if (constant.value != null) {
            values[count] = constant.value;
        }
        try {
            if (handle == null) {
                handle = handle().asSpreader(Object[].class, values.length);
            }
            return handle.invoke(values);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable failed) {
            throw new IllegalStateException(failed);
        }
    }

    private MethodHandle handle() throws ReflectiveOperationException {
        MethodType type = MethodType.methodType(
                result instanceof BooleanType ? boolean.class
                : result instanceof StructType ? InternalRow.class
                : result instanceof ArrayType ? ArrayData.class : UTF8String.class);
        for (int at = 0; at < arguments.length(); at++) {
            boolean isBinary = argument(at).dataType() instanceof BinaryType;
            type = type.appendParameterTypes(isBinary ? byte[].class : UTF8String.class);
        }
        if (constant.value != null) {
            type = type.appendParameterTypes(constant.value.getClass());
        }
        return MethodHandles.lookup().findStatic(Functions.class, method, type);
    }

    @Override
    public String prettyName() {
        return name;
    }

    @Override
    public String sql() {
        return shown(Expression::sql);
    }

    @Override
    public String toString() {
        return shown(Expression::toString);
    }

    private String shown(Function<Expression, String> each) {
        StringJoiner shown = new StringJoiner(", ", name + "(", ")");
        for (int at = 0; at < arguments.length(); at++) {
            shown.add(each.apply(argument(at)));
        }
        if (constant.shown != null) {
            shown.add(constant.shown);
        }
        return shown.toString();
    }

    private Object[] components() {
        return new Object[] {name, method, result, mayBeNull, arguments, constant};
    }

    @Override
    public Object productElement(int at) {
        return components()[at];
    }

    @Override
    public int productArity() {
        return components().length;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof Call;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Call && Arrays.equals(components(), ((Call) other).components());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(components());
    }
}
