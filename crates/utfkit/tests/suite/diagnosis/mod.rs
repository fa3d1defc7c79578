mod ahead;
mod checker;
mod finding;
mod lenient;
mod locator;
mod pieces;
mod relatives;
