/** The page that stands for all others without a connection: what can be shown of them, or why not. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { watchUnsent } from "../outbox/header";
import { since } from "../shared/times";
import { screenAt } from "./addresses";
import { goLive, goLiveOnce, TOUCHES } from "./live";
import { Mounted } from "./Mounted";
import { NeedsConnection } from "./NeedsConnection";
import { type Opened, openScreen, type Scripts } from "./screens";
import { Top } from "./Top";
import { type Device, useDevice } from "./useDevice";
import { useLine } from "./useLine";

/** Returns the screen of the address: undefined until it is read, null where it needs a connection. */
function useScreen(device: Device | null, scripts: Scripts): Opened | null | undefined {
  const [opened, setOpened] = useState<Opened | null>();
  const isRead = useRef(false);
  useEffect(() => {
    // Once: what is on the screen stays when the outbox changes.
    if (!device || isRead.current) return;
    isRead.current = true;
    const screen = screenAt(new URL(location.href));
    const reading = screen && device.person ? openScreen(screen, device.person, scripts) : null;
    Promise.resolve(reading).then(setOpened, () => setOpened(null));
  }, [device, scripts]);
  return opened;
}

/** Prepares the page for its person and screen, as the server does. */
function usePage(device: Device | null, opened: Opened | null | undefined): void {
  // Before the paint, so that no screen is seen with the title or width of another.
  useLayoutEffect(() => {
    const { dataset } = document.body;
    if (device?.person) {
      dataset.user = String(device.person.user);
      if (device.person.chosen) dataset.division = device.person.chosen;
    }
    if (opened) document.title = `${opened.title} · Quartermaster`;
    document.getElementById("main")?.classList.toggle("narrow", !opened || opened.isNarrow);
  }, [device, opened]);
}

/** Returns whether somebody has begun to use the page, which a new page would take from under their finger. */
function useTouched(): () => boolean {
  const touched = useRef(false);
  useEffect(() => {
    const onTouch = () => {
      touched.current = true;
    };
    for (const name of TOUCHES) document.addEventListener(name, onTouch, { once: true });
    return () => {
      for (const name of TOUCHES) document.removeEventListener(name, onTouch);
    };
  }, []);
  return useMemo(() => () => touched.current, []);
}

export function Shell({ props }: { props: { scripts: Scripts } }) {
  const device = useDevice();
  const opened = useScreen(device, props.scripts);
  const line = useLine();
  const isTouched = useTouched();
  usePage(device, opened);
  const hasPerson = Boolean(device?.person);
  useEffect(() => {
    if (hasPerson) watchUnsent();
  }, [hasPerson]);
  const isBack = line === "good" || line === "signed out";
  useEffect(() => {
    if (isBack && !isTouched()) goLiveOnce();
  }, [isBack, isTouched]);
  if (!device || opened === undefined) return null;
  const asOf = opened?.fetchedAt ? since(new Date(opened.fetchedAt)) : "";
  return (
    <>
      <Top
        device={device}
        line={line}
        asOf={asOf}
        onLive={isBack || (line === "slow" && opened) ? goLive : null}
      />
      {opened ? <Mounted opened={opened} /> : <NeedsConnection device={device} />}
    </>
  );
}
