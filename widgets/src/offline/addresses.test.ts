// @vitest-environment node
import { expect, test } from "vitest";
import { divisionLabel, divisionOf, namesFor, pageOf, screenAt, sourceOf } from "./addresses";

const at = (path: string) => screenAt(new URL(path, "https://stock.example"));

test("the stock list, the stock check, the check form and the outbox work without a connection", () => {
  expect(at("/inventory/main?q=tin")).toEqual({ screen: "list", division: "gfm", site: "main" });
  expect(at("/inventory")).toEqual({ screen: "list", division: "gfm", site: "main" });
  expect(at("/gpm/inventory/main/")).toEqual({ screen: "list", division: "gpm", site: "main" });
  expect(at("/inventory/northern/count")).toEqual({
    screen: "count",
    division: "gfm",
    site: "northern",
  });
  const check = { screen: "check", vehicle: "", booking: null };
  expect(at("/fleetChecks?vehicle=LK19+VTE")).toEqual({ ...check, vehicle: "LK19 VTE" });
  expect(at("/fleetChecks")).toEqual(check);
  const booking = { number: "B-0031", step: "out" };
  expect(at("/fleetChecks?booking=B-0031&step=out")).toEqual({ ...check, booking });
  expect(at("/fleetChecks?booking=B-0031&step=over")).toEqual(check);
  expect(at("/fleetChecks?booking=D-0031&step=out")).toEqual(check);
  expect(at("/outbox")).toEqual({ screen: "outbox" });
});

test("all other pages need one", () => {
  for (const path of [
    "/",
    "/dashboard",
    "/inventory/main/bulk",
    "/inventory/main/items/7/action",
    "/inventory/count",
    "/inventory/elsewhere",
    "/fleetChecks?plain=1",
    "/fleetChecksList",
    "/outbox/3",
  ])
    expect(at(path), path).toBeNull();
});

test("a screen is shown from the reference of its store, or of the division that checks", () => {
  const names = (path: string, chosen: string) => {
    const screen = at(path);
    return screen && namesFor(screen, chosen);
  };
  expect(names("/inventory/main/count", "gfm")).toEqual(["stock:gfm/main"]);
  expect(names("/fleetChecks", "gpm")).toEqual(["check-form:gpm", "check-form:fleet"]);
  expect(names("/fleetChecks", "gfm")).toEqual(["check-form:fleet", "check-form:gpm"]);
  expect(names("/outbox", "gfm")).toEqual([]);
});

test("a reference is read beside its page", () => {
  expect(sourceOf("stock:gfm/guildford")).toBe("/inventory/guildford/reference");
  expect(sourceOf("stock:gpm/main")).toBe("/gpm/inventory/main/reference");
  expect(sourceOf("check-form:fleet")).toBe("/fleetChecks/reference");
  expect(pageOf("check-form:gpm")).toBe("/fleetChecks");
  expect(["gfm", "fleet"].map(divisionLabel)).toEqual(["GFM", "Fleet"]);
  expect(divisionOf("check-form:gpm")).toBe("gpm");
  expect(divisionOf("stock:gfm/main")).toBe("gfm");
});
