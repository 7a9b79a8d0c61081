/** The gateway's mark: one line in, several out. As in `icon.svg`. */
export const Mark = ({ size = 20 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" class="mark-ground" />
    <path class="mark-lines" d="M6 16h7M13 16c5 0 4-8 9-8h4M13 16h13M13 16c5 0 4 8 9 8h4" />
    <circle cx="13" cy="16" r="2.6" class="mark-point" />
  </svg>
);
