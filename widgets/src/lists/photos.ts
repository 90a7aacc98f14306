/** Opens photos in the page. The viewer is loaded with the first one; without it the link works. */

/** Returns the link to a photo that a click is to open here; null if the browser is to follow it. */
function photoOf({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): HTMLAnchorElement | null {
  if (ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return null;
  return target.closest<HTMLAnchorElement>("[data-photos] a:not(.btn)");
}

export function watchPhotos(): void {
  document.addEventListener("click", (event) => {
    const link = photoOf(event);
    if (!link) return;
    event.preventDefault();
    import("./photo-viewer").then(
      ({ viewPhotos }) => viewPhotos(link),
      () => location.assign(link.href),
    );
  });
}
