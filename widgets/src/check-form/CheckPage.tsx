/** Opens the check form with what is kept of it. */
import { useEffect, useState } from "react";
import { CheckForm } from "./CheckForm";
import { open, type Opened } from "./kept";
import type { Tools } from "./queue";
import type { Props } from "./props";

export function CheckPage({ props, tools }: { props: Props; tools?: Tools }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    void open(props).then(setOpened);
  }, [props]);

  if (opened === null) return <p className="loading" role="status">Loading…</p>;
  return <CheckForm props={props} opened={opened} {...(tools ? { tools } : {})} />;
}
