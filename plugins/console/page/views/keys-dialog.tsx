import { signal } from '@preact/signals'
import { Dialog } from './parts.js'

export const areKeysShown = signal(false)

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl K or ⌘ K', 'find a type or a command'],
  ['/', 'filter the rows of a table'],
  ['↑ ↓ or j k', 'go through rows'],
  ['Enter', 'open the row'],
  ['Space or x', 'select the row'],
  ['← → on the line of a header', 'resize the column'],
  ['Escape', 'close what is open; Escape and Tab leave the editor'],
  ['?', 'these keys'],
]

/** The keys that the console knows. */
export function KeysDialog() {
  return (
    <Dialog title="Keys" onClose={() => (areKeysShown.value = false)}>
      <dl>
        {keys.map(([key, text]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  )
}
