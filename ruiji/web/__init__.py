"""The local web application: annotate pages, review what was found. It listens on the loopback interface
only.
"""
