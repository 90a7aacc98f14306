"""Accounts: users, sign-in, login sessions, the chosen division, passwords."""
