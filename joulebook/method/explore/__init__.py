"""What a reader may move on a page: main results as sums of parts on a grid, from the method's own functions.

A module a topic. None is imported here: a topic depends on its own alone.
"""
