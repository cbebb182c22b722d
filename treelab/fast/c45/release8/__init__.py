"""C4.5 Release 8, Quinlan's own program of 1993, to the bit: ``C45Classifier(variant="release8")``.

Readers of C4.5 need none of it. It stands here so that the printed trees of the program can be
compared with those of `treelab.fast.c45`, rule by rule.
"""
