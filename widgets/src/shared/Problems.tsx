/** What went wrong, above the content, each with the way to where it is mended. */
import { useEffect, useRef } from "react";

/** A problem, and what it is about (null: all of it). */
export interface Problem {
  message: string;
  target: string | null;
}

interface Props {
  problems: Problem[];
  onGo: (target: string) => void;
}

export function Problems({ problems, onGo }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(0);
  useEffect(() => {
    // Not when one of several is mended: the focus is where the next one is being mended.
    if (problems.length > 0 && problems.length >= before.current) box.current?.focus();
    before.current = problems.length;
  }, [problems]);
  if (problems.length === 0) return null;
  return (
    <div className="notice bad" role="alert" tabIndex={-1} ref={box}>
      <h2>There is a problem</h2>
      <ul>
        {problems.map(({ message, target }) => (
          <li key={`${target}${message}`}>
            {target === null ? (
              message
            ) : (
              <button type="button" className="link" onClick={() => onGo(target)}>
                {message}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
