/** The libraries that all widgets share, in a chunk of their own: it stays cached when our code changes. */
import "react";
import "react-dom/client";
import "react/jsx-runtime";
