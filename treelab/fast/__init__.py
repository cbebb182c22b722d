"""The methods of the book at the speed of compiled code, as estimators like scikit-learn's.

The estimators are imported from `treelab`, which loads them from the subpackages on first use.
"""
