"""One module a command, all in one way.

``DESCRIPTION`` and ``EPILOG`` are its help, ``add_options`` defines its options, ``settings_from`` makes
frozen settings of parsed options, and ``run`` does the work and returns an Outcome. ``ruiji.cli`` imports
only the module of the command that was asked for. What a command computes is in the houses; here are options,
output and messages. Options that several commands have are in ``ruiji.options``; ``learning`` and
``tables`` are shared by train, crossval, evaluate and agree.
"""
