/**
 * React, in a file that all builds share: it stays cached when our code changes, and a browser that
 * works without a connection keeps it once. It exports what our code and its libraries use.
 */
export {
  Component,
  cloneElement,
  Fragment,
  memo,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
export { jsx, jsxs } from "react/jsx-runtime";
export { createPortal, flushSync } from "react-dom";
export { createRoot } from "react-dom/client";
