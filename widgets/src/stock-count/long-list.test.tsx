import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { count, open, startServer, stopServer } from "./testing";

afterEach(stopServer);

const many = Array.from({ length: 3000 }, (_, n) => ({
  item: `Item ${n}`,
  amount: n,
  category: "",
  unitPrice: 1,
  unit: "pcs",
}));

test("only the lines near the view of a long list are rendered, and Enter reaches the rest", async () => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(33);
  await startServer(many);
  await open();
  const visible = screen.getAllByRole("rowheader").length;
  expect(visible).toBeLessThan(60);
  expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "3001");
  count(`Item ${visible - 1}`).focus();
  await userEvent.keyboard("{Enter}");
  expect(count(`Item ${visible}`)).toHaveFocus();
  expect(count(`Item ${visible}`).closest("tr")).toHaveAttribute(
    "aria-rowindex",
    String(visible + 2),
  );
});
