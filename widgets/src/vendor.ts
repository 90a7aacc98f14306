/** What every widget shares; kept apart, it is fetched once and stays the same when our code changes. */
import "react";
import "react-dom/client";
import "react/jsx-runtime";
