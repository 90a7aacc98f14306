/** What stands for a form without a connection, for those who may only look. */
interface Props {
  title: string;
  why: string;
  /** The page to return to, if that opens without a connection. */
  back: string | null;
}

export function ViewOnly({ props: { title, why, back } }: { props: Props }) {
  return (
    <div className="form page">
      <h1>{title}</h1>
      <p className="notice">{why}</p>
      {back !== null && (
        <div className="row">
          <a className="btn primary" href={back}>
            Back
          </a>
        </div>
      )}
    </div>
  );
}
