import { useState } from 'react';
import { type ScanResult, uploadScanReport } from '../../../api/verification-connections.ts';
import { Alert, Stack, Text } from '../../../components/controls.ts';
import { type FieldsOf, Form } from '../../../components/form.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { useSaved } from '../../use-change.ts';

type UploadFields = { readonly report_file: File | null; readonly system: string };

const EMPTY: UploadFields = { report_file: null, system: '' };

const FIELDS: FieldsOf<UploadFields> = {
  report_file: { kind: 'file', label: texts.scanReport, description: texts.scanReportHint, isRequired: true },
  system: { kind: 'text', label: texts.scanTool, description: texts.scanToolHint, isRequired: true },
};

/** What shows the results of verification. */
const CONCERNED = ['countermeasures', 'countermeasure', 'verification', 'gate', 'activities'];

/** What a report has verified, and why other parts of it have not. */
function Result({ result: { tasks, rules, unmatched_rules: unmatched, warnings } }: { readonly result: ScanResult }) {
  const failed = tasks.filter(({ verification_status: status }) => status === 'fail').length;
  return (
    <Alert color={tasks.length > 0 ? 'green' : 'yellow'} variant="outline" title={texts.scanRead} role="status">
      <Stack gap="xs">
        <Text size="sm">{texts.scanVerified(tasks.length, failed)}</Text>
        {rules.unmatched > 0 && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {texts.scanUnmatched(rules.unmatched, unmatched)}
          </Text>
        )}
        {warnings.map((warning) => (
          <Text size="sm" key={warning}>
            {warning}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

/** Uploads the report of a scanner, and says what it has verified. */
export function ScanUpload({ project }: { readonly project: number }) {
  const [result, setResult] = useState<ScanResult>();
  const saved = useSaved(CONCERNED, texts.scanRead);
  return (
    <Stack maw={560}>
      <Form
        key={result?.id}
        label={texts.uploadScan}
        initial={EMPTY}
        fields={FIELDS}
        submit={texts.uploadScan}
        save={({ report_file: file, system }) => {
          if (!file) throw new TypeError('The form requires a file.');
          return uploadScanReport(project, system.trim(), file);
        }}
        onSaved={(next) => {
          saved();
          setResult(next);
        }}
      />
      {result && <Result result={result} />}
    </Stack>
  );
}
