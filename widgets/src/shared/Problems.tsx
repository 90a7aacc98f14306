/** A summary of the problems, above the content; each links to its control. */
import { useEffect, useRef } from "react";

/** A problem, and the control it is about; null for the whole form. */
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
    // Not when one of several is corrected: the user is still working in another control.
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
