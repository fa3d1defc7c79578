package utfkit.spark;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.trees.TreeNode;

/**
 * What an expression is asked in Spark 3.5, which is compiled for Scala 2.12: the sequences of Scala have other types
 * there than in the Spark that this is compiled with. With both, one class serves both.
 */
public interface Of212 {
    /** The arguments. */
    scala.collection.Seq<Expression> children();

    /** The expression with other arguments. */
    TreeNode<Expression> withNewChildrenInternal(scala.collection.IndexedSeq<Expression> children);
}
