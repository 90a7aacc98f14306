/** Runs on the dashboard. */
import { extendHere, pingFirst } from "./forms/dashboard";

document.querySelectorAll<HTMLAnchorElement>("a[data-ping]").forEach(pingFirst);
document.querySelectorAll<HTMLFormElement>("form[data-extend]").forEach(extendHere);
