/** Opens the check form with what is kept of it. */
import { useEffect, useState } from "react";
import { CheckForm } from "./CheckForm";
import { type Opened, open } from "./kept";
import type { Props } from "./props";
import type { Tools } from "./queue";

export function CheckPage({ props, tools }: { props: Props; tools?: Tools }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    void open(props).then(setOpened);
  }, [props]);

  if (opened === null)
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  return <CheckForm props={props} opened={opened} {...(tools ? { tools } : {})} />;
}
