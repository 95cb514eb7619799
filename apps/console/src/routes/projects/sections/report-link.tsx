import { basePath } from '../../../api/client.ts';
import { reportAddress } from '../../../api/project-sections.ts';
import { Button } from '../../../components/controls.ts';
import { projectStrings as texts } from '../../../project-strings.ts';

/** Opens the project as a document that a browser prints. */
export function ReportLink({ project }: { readonly project: number }) {
  return (
    <Button
      component="a"
      variant="default"
      size="xs"
      href={reportAddress(basePath, project)}
      target="_blank"
      title={texts.reportHint}
    >
      {texts.report}
    </Button>
  );
}
