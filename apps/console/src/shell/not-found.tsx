import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Empty } from '../components/states.tsx';
import { strings } from '../strings.ts';

export function NotFound() {
  useEffect(() => {
    document.title = `${strings.notFoundTitle} – Merlon`;
  }, []);
  return (
    <Empty title={strings.notFoundTitle} isPage>
      <p>{strings.notFoundText}</p>
      <Link to="/projects" className="text-link">
        {strings.toProjects}
      </Link>
    </Empty>
  );
}
