"""What stands under the CRF of the set ``stacked``: trees and a network, which give log-odds of content.

Blocks become rows of numbers (trees: table_of), with copies of articles cut short (augmentation). Trees
learn from them (trees, tree_file), and a small network (network_rows, network_gradients, network_training,
network). The ensemble is their weighted mean, moved by the conventions of Japanese annotations (ensemble,
headlines, containers).
"""
