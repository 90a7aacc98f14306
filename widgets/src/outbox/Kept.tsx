/** Says that a change is kept here until it is sent, and then when it was. */
import { type ReactNode, useEffect, useState } from "react";
import { formatNumber } from "../shared/money";
import { since } from "../shared/times";
import { entriesOf, subscribe } from ".";

const KEPT = "Kept on this phone. It counts once it is sent.";

interface Props {
  user: number;
  /** The entry that is kept. */
  id: string;
  children?: ReactNode;
}

/** Returns when an entry was sent, and made if that was another time. */
function sentText(madeAt: number): string {
  const [sent, made] = [since(new Date()), since(new Date(madeAt))];
  return sent === made ? `Sent ${sent}.` : `Sent ${sent}, made ${made}.`;
}

export function Kept({ user, id, children }: Props) {
  const [text, setText] = useState(KEPT);
  const [unsent, setUnsent] = useState(1);
  useEffect(() => {
    const count = () =>
      entriesOf(user).then(
        (entries) => setUnsent(entries.length),
        () => undefined,
      );
    void count();
    return subscribe((announcement) => {
      if (announcement.type === "sent" && announcement.id === id)
        setText(sentText(announcement.entry.madeAt));
      if (announcement.type === "changed") void count();
    });
  }, [user, id]);
  return (
    <div className="notice row" role="status">
      <p className="grow">{text}</p>
      {unsent > 0 && <a href="/outbox">{formatNumber(unsent)} not sent yet</a>}
      {children}
    </div>
  );
}
