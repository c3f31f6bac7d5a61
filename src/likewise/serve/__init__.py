"""HTTP service and web pages, thin over the same verbs as Python and the command line."""
