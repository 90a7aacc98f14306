/** Opens the check form with its drafts. */
import { useEffect, useState } from "react";
import { CheckForm } from "./CheckForm";
import { type Opened, openDraft } from "./draft";
import type { Props } from "./props";
import type { Tools } from "./queue";

export function CheckPage({ props, tools }: { props: Props; tools?: Tools }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    void openDraft(props).then(setOpened);
  }, [props]);

  if (opened === null) {
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  }
  return <CheckForm props={props} opened={opened} {...(tools ? { tools } : {})} />;
}
