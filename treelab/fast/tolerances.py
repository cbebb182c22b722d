"""Tolerances: differences that rounding alone can make, and that therefore count as none.

Two candidate splits that divide the rows in the same way have gains that are equal in exact
arithmetic. In floating point they may differ in the last digits, and the choice between them would
depend on the order of the additions. What differs by less than a tolerance is a tie, and a tie has
a rule. The constants of other programs (J48, Release 8, Weka) stand beside their ports.
"""

__all__ = ["CLOSE", "NEARLY", "TIE"]

# Gains, as a share of the impurity of the node: a gain is a difference of sums over all rows of
# the node, so its rounding error grows with them.
TIE = 1e-10

# Numbers of the size of 1, from few additions: bits, uncertainties, merits, importances and errors.
CLOSE = 1e-12

# Ratios of numbers from two different computations, such as alphas or residual sums, and
# products that must be a whole number up to rounding.
NEARLY = 1e-9
