import { expect, test, vi } from "vitest";
import { type Studio, shrink } from "./shrink";

/** A studio whose JPEGs take `weight` bytes per pixel at full quality. */
function studio(width: number, height: number, weight: number) {
  const close = vi.fn();
  const sizes: [number, number][] = [];
  const made: Studio = {
    open: async () => ({ width, height, source: document.createElement("canvas"), close }),
    draw(source, wide, high) {
      sizes.push([wide, high]);
      return {
        source,
        write: async (quality) =>
          new Blob([new Uint8Array(Math.round(wide * high * weight * quality))]),
      };
    },
  };
  return { made, sizes, close };
}

test("the longer side of a picture is at most 1,600 px", async () => {
  const lying = studio(4000, 3000, 0.1);
  await shrink(new Blob(["x"]), lying.made);
  expect(lying.sizes).toEqual([[1600, 1200]]);
  const standing = studio(3000, 4000, 0.1);
  await shrink(new Blob(["x"]), standing.made);
  expect(standing.sizes).toEqual([[1200, 1600]]);
  expect(standing.close).toHaveBeenCalledOnce();
});

test("a small picture keeps its size", async () => {
  const { made, sizes } = studio(640, 480, 0.1);
  await shrink(new Blob(["x"]), made);
  expect(sizes).toEqual([[640, 480]]);
});

test.each([0.1, 0.15, 0.3, 1, 4])(
  "%d bytes a pixel fit into 240 KB, by quality first and then by size",
  async (weight) => {
    const { made, sizes } = studio(4000, 3000, weight);
    const small = await shrink(new Blob(["x"]), made);
    expect(small.size).toBeLessThanOrEqual(240_000);
    expect(small.size).toBeGreaterThan(80_000);
    expect(sizes).toHaveLength(weight <= 0.15 ? 1 : sizes.length);
  },
);

test("a file that can't be opened is rejected", async () => {
  const { made } = studio(1, 1, 1);
  made.open = () => Promise.reject(new Error("no picture"));
  await expect(shrink(new Blob(["x"]), made)).rejects.toThrow("no picture");
});
