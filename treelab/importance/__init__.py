from treelab.importance.impurity_based import impurity_decreases, mean_decrease_impurity, squared_improvement
from treelab.importance.out_of_bag import *
from treelab.importance.permutation import *
from treelab.importance.shapley import shapley_values
