import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STUDIO } from "./shrink";

const FILE = new Blob(["picture"]);
const context = {
  imageSmoothingQuality: "low",
  fillStyle: "",
  fillRect: vi.fn(),
  drawImage: vi.fn(),
};

beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:picture");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Makes image elements decode successfully, or fail. */
function stubImage(decode: () => Promise<void>): void {
  class FakeImage {
    src = "";
    naturalWidth = 40;
    naturalHeight = 30;
    decode = decode;
  }
  vi.stubGlobal("Image", FakeImage);
}

/** Makes canvases draw into `context` and write a blob, or null. */
function stubCanvas(hasContext: boolean, blob: Blob | null): void {
  const { prototype } = HTMLCanvasElement;
  vi.spyOn(prototype, "getContext").mockReturnValue((hasContext ? context : null) as never);
  vi.spyOn(prototype, "toBlob").mockImplementation((receive) => receive(blob));
}

test("the browser turns the picture upright", async () => {
  const close = vi.fn();
  const createImageBitmap = vi.fn().mockResolvedValue({ width: 40, height: 30, close });
  vi.stubGlobal("createImageBitmap", createImageBitmap);
  const picture = await STUDIO.open(FILE);
  expect(createImageBitmap).toHaveBeenCalledWith(FILE, { imageOrientation: "from-image" });
  expect(picture).toMatchObject({ width: 40, height: 30 });
  picture.close();
  expect(close).toHaveBeenCalledOnce();
});

test.each([TypeError, ReferenceError])(
  "an older browser, which throws a %o, uses an image element",
  async (Unsupported) => {
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Unsupported()));
    stubImage(() => Promise.resolve());
    const picture = await STUDIO.open(FILE);
    expect(picture).toMatchObject({ width: 40, height: 30 });
    expect(URL.revokeObjectURL).not.toHaveBeenCalled();
    picture.close();
    expect(URL.revokeObjectURL).toHaveBeenCalledWith("blob:picture");
  },
);

test("a file that isn't a picture is rejected, and its object URL revoked", async () => {
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new TypeError()));
  stubImage(() => Promise.reject(new Error("no picture")));
  await expect(STUDIO.open(FILE)).rejects.toThrow("no picture");
  expect(URL.revokeObjectURL).toHaveBeenCalledWith("blob:picture");
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("broken")));
  await expect(STUDIO.open(FILE)).rejects.toThrow("broken");
});

test("a picture is drawn on a white background and written as JPEG", async () => {
  const jpeg = new Blob(["jpeg"]);
  stubCanvas(true, jpeg);
  const source = document.createElement("img");
  const drawing = STUDIO.draw(source, 16, 12);
  expect(context.fillStyle).toBe("#fff");
  expect(context.fillRect).toHaveBeenCalledWith(0, 0, 16, 12);
  expect(context.drawImage).toHaveBeenCalledWith(source, 0, 0, 16, 12);
  expect(await drawing.write(0.7)).toBe(jpeg);
});

test("a browser without memory for a canvas is an error", async () => {
  stubCanvas(false, null);
  expect(() => STUDIO.draw(document.createElement("img"), 16, 12)).toThrow("no canvas");
  stubCanvas(true, null);
  const drawing = STUDIO.draw(document.createElement("img"), 16, 12);
  await expect(drawing.write(0.7)).rejects.toThrow("no blob");
});
