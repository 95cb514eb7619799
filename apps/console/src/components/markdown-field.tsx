import { Tabs, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { strings } from '../strings.ts';
import { HtmlText } from './html-text.tsx';
import { Loaded } from './states.tsx';

interface MarkdownFieldProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Renders a text that is not saved to safe HTML. */
  readonly render: (text: string) => Promise<string>;
}

function Preview({ text, render }: { readonly text: string; readonly render: MarkdownFieldProps['render'] }) {
  const html = useQuery({ queryKey: ['preview', text], queryFn: () => render(text), gcTime: 0 });
  return <Loaded query={html}>{(rendered) => <HtmlText html={rendered} />}</Loaded>;
}

/** A Markdown text, with a preview of how it will look. */
export function MarkdownField({ render, value, onChange, ...field }: MarkdownFieldProps) {
  const [tab, setTab] = useState<string | null>('write');
  return (
    // Errors in the text are shown next to it.
    <Tabs value={field.error === undefined ? tab : 'write'} onChange={setTab} keepMounted={false}>
      <Tabs.List aria-label={field.label}>
        <Tabs.Tab value="write">{strings.write}</Tabs.Tab>
        <Tabs.Tab value="preview">{strings.rendered}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write" pt="xs">
        <Textarea
          {...field}
          autosize
          minRows={8}
          maxRows={28}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </Tabs.Panel>
      <Tabs.Panel value="preview" pt="xs">
        <Preview text={value} render={render} />
      </Tabs.Panel>
    </Tabs>
  );
}
