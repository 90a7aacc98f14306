/** The script of the dashboard. */
import { extendInPlace, pingFirst } from "./forms/dashboard";

document.querySelectorAll<HTMLAnchorElement>("a[data-ping]").forEach(pingFirst);
document.querySelectorAll<HTMLFormElement>("form[data-extend]").forEach(extendInPlace);
