/** Makes a picture small enough for a slow connection: upright, and without the camera's metadata. */

const MAX_SIDE = 1600;
const MAX_BYTES = 240_000;
const QUALITIES = [0.85, 0.7, 0.5];
const SCALE_STEP = 0.8;
const MIN_SIDE = 64;

/** A decoded picture, turned upright. */
export interface Drawable {
  width: number;
  height: number;
  source: CanvasImageSource;
  close: () => void;
}

/** A picture drawn at a size. */
export interface Drawing {
  source: CanvasImageSource;
  write: (quality: number) => Promise<Blob>;
}

/** The picture functions of a browser, which tests replace. */
export interface Studio {
  open: (file: Blob) => Promise<Drawable>;
  draw: (source: CanvasImageSource, width: number, height: number) => Drawing;
}

async function openImage(file: Blob): Promise<Drawable> {
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  const close = () => URL.revokeObjectURL(address);
  try {
    await image.decode();
  } catch (error) {
    close();
    throw error;
  }
  return { width: image.naturalWidth, height: image.naturalHeight, source: image, close };
}

async function openBitmap(file: Blob): Promise<Drawable> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  return {
    width: bitmap.width,
    height: bitmap.height,
    source: bitmap,
    close: () => bitmap.close(),
  };
}

export const STUDIO: Studio = {
  // Older browsers don't support the option that turns a picture upright; an image element does it there.
  open: (file) =>
    openBitmap(file).catch((error: unknown) => {
      if (error instanceof TypeError || error instanceof ReferenceError) return openImage(file);
      throw error;
    }),
  draw(source, width, height) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.imageSmoothingQuality = "high";
    // JPEG has no transparency; without a white background it would be black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.drawImage(source, 0, 0, width, height);
    const write = (quality: number) =>
      new Promise<Blob>((resolve, reject) => {
        canvas.toBlob(
          (blob) => (blob ? resolve(blob) : reject(new Error("no blob"))),
          "image/jpeg",
          quality,
        );
      });
    return { source: canvas, write };
  },
};

/** Returns a JPEG of at most 1,600 px and 240 KB; rejects a file that can't be decoded as a picture. */
export async function shrink(file: Blob, studio: Studio = STUDIO): Promise<Blob> {
  const picture = await studio.open(file);
  const { width, height } = picture;
  let side = Math.min(MAX_SIDE, Math.max(width, height));
  const drawn = (source: CanvasImageSource): Drawing => {
    const scale = side / Math.max(width, height);
    return studio.draw(
      source,
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    );
  };
  let drawing: Drawing;
  try {
    drawing = drawn(picture.source);
  } finally {
    picture.close();
  }
  for (;;) {
    for (const quality of QUALITIES) {
      const written = await drawing.write(quality);
      if (written.size <= MAX_BYTES || side <= MIN_SIDE) return written;
    }
    side *= SCALE_STEP;
    drawing = drawn(drawing.source);
  }
}
