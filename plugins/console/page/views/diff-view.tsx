import { compareTexts, type DiffLine, nearChanges } from '../model/text-diff.js'

const signs: Readonly<Record<DiffLine['change'], string>> = { same: ' ', removed: '−', mine: '+', server: '+' }
const words: Readonly<Record<DiffLine['change'], string>> = {
  same: '',
  removed: 'removed',
  mine: 'added',
  server: 'added by the server',
}

/** The diff of two texts. */
export function DiffView({ before, after, sent }: { before: string; after: string; sent?: string }) {
  const lines = nearChanges(compareTexts(before, after, sent))
  if (lines.length === 0) return <p class="muted">No difference.</p>
  const hasServer = lines.some(line => line?.change === 'server')
  return (
    <figure class="diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0} role="region" aria-label="Changes">
        {lines.map((line, at) =>
          line ? (
            <div key={at} class={line.change}>
              <span aria-hidden="true">{signs[line.change]} </span>
              {words[line.change] && <span class="unseen">{words[line.change]}: </span>}
              {line.text}
            </div>
          ) : (
            <div key={at} class="gap">
              ⋯
            </div>
          ),
        )}
      </pre>
      {hasServer && (
        <figcaption class="muted small">
          <span class="key server" /> added by defaults and admission
        </figcaption>
      )}
    </figure>
  )
}
