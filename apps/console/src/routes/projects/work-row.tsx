import type { ListedCountermeasure, Status } from '../../api/countermeasures.ts';
import { Priority, StatusBadge } from '../../components/formats.tsx';

/** What a list shows of a countermeasure, with where it is: its phase, or its project if the list has several. */
export function WorkRow({ item, place }: { readonly item: ListedCountermeasure; readonly place: string }) {
  return (
    <>
      <Priority value={item.priority} />
      <span className="row-id">{item.task_id}</span>
      <span className="row-title" title={item.title}>
        {item.title}
      </span>
      <span className="row-side row-wide">
        <span className="row-fixed" title={place}>
          {place}
        </span>
      </span>
      <span className="status-cell">
        <StatusBadge status={item.status as Status} />
      </span>
    </>
  );
}
