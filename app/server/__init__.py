"""The server: an event loop that waits for slow clients, and threads that run the application.

`supervisor` keeps the worker processes alive. In each, `gateway` lets granian's RSGI interface call
the WSGI application, and `bodies` reads the bodies of requests. A client that sends or reads slowly
costs a connection, never a thread or a database connection.
"""
