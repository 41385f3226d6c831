import { signal } from '@preact/signals'
import { Dialog } from './parts.js'

export const areKeysShown = signal(false)

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl K or ⌘ K', 'find a type or a command'],
  ['/', 'filter the rows of a table'],
  ['↑ ↓ or j k', 'move between rows'],
  ['Enter', 'open the row'],
  ['Space or x', 'select the row'],
  ['← → on a column border', 'resize the column'],
  ['Escape', 'close the open menu or dialog; then Tab, to leave the editor'],
  ['?', 'show this list'],
]

export function KeysDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (areKeysShown.value = false)}>
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
