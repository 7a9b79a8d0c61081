/** Icons of 16 × 16, in lines of the text's colour. They repeat what a text beside them means, or a label names. */

const paths = {
  audit: 'M4 2.5h8v11H4zM6.5 5.5h3M6.5 8h3M6.5 10.5h2',
  book: 'M3 2.5h8.5a1 1 0 0 1 1 1v10H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5h8M6 5.5h3.5',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  chart: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  check: 'M3 8.5l3.2 3L13 4.5',
  chevron: 'M4.5 6.5L8 10l3.5-3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7.5v7.5H6zM3.5 10H2.5V2.5H10v1',
  cube: 'M8 1.8l5.5 3.1v6.2L8 14.2l-5.5-3.1V4.9zM2.7 5L8 8l5.3-3M8 8v6',
  down: 'M8 3v9M4.5 8.5L8 12l3.5-3.5',
  download: 'M8 2.5v7M5 6.8L8 9.8l3-3M2.5 13.5h11',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  key: 'M8.6 7.4a3.4 3.4 0 1 0-1 1l1 1h1.6v1.6h1.6v1.6h2v-2.2zM4.6 4.6h.01',
  leave: 'M9.5 2.5h-6v11h6M6.5 8h7M11 5.5L13.5 8 11 10.5',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7L8 4.3M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9a2.6 2.6 0 0 0 3.7 3.7l1-1',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  people:
    'M6 7.5A2.3 2.3 0 1 0 6 2.9a2.3 2.3 0 0 0 0 4.6zM1.8 13.2c.3-2.3 2-3.6 4.2-3.6s3.9 1.3 4.2 3.6M10.6 3.2a2.2 2.2 0 0 1 0 4.1M12 9.9c1.3.5 2.1 1.6 2.3 3.3',
  person: 'M8 7.8A2.6 2.6 0 1 0 8 2.6a2.6 2.6 0 0 0 0 5.2zM3 13.5c.4-2.4 2.3-3.8 5-3.8s4.6 1.4 5 3.8',
  play: 'M4.5 2.8l8 5.2-8 5.2z',
  plug: 'M6 2v3.5M10 2v3.5M4 5.5h8v2a4 4 0 0 1-8 0zM8 11.5V14',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2',
  stack: 'M8 2.2l6 3-6 3-6-3zM2 8l6 3 6-3M2 10.8l6 3 6-3',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  system: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  up: 'M8 13V4M4.5 7.5L8 4l3.5 3.5',
  warning: 'M8 2.2l6.2 11.1H1.8zM8 6.5v3.2M8 11.6h.01',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
