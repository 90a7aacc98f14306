/** What this browser has stored: who is signed in, what was read for them, and what is not sent. */
import { useEffect, useState } from "react";
import { subscribe } from "../outbox/announcements";
import type { Person } from "../outbox/database";
import { countOf } from "../outbox/store";
import { loadPerson } from "./person";
import { type Listed, listReferences } from "./references";

export interface Device {
  /** Null for nobody. */
  person: Person | null;
  references: Listed[];
  /** How many entries of the person are not sent yet. */
  unsent: number;
}

const NOTHING: Device = { person: null, references: [], unsent: 0 };

async function readDevice(): Promise<Device> {
  const person = await loadPerson();
  if (!person) return NOTHING;
  const references = await listReferences(person.user);
  const unsent = await countOf(person.user);
  return { person, references, unsent };
}

/** Returns what is stored, and again when the outbox changes; null until it is read. */
export function useDevice(): Device | null {
  const [device, setDevice] = useState<Device | null>(null);
  useEffect(() => {
    const read = () => void readDevice().then(setDevice, () => setDevice(NOTHING));
    read();
    return subscribe(({ type }) => {
      if (type !== "status") read();
    });
  }, []);
  return device;
}
