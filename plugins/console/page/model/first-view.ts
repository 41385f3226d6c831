import { askForTypes, chosenNamespace } from './catalogue.js'
import { noteDrawn } from './first-drawing.js'
import { askForTable } from './live-table.js'
import { isSegment } from './path-segment.js'
import { askForProblems } from './problem-scan.js'
import { query, view } from './route.js'

/** How long nothing is drawn for the sake of drawing once: longer than a server takes that is near, and hardly noticed. */
const patienceMs = 150

/** Asks for what the first view shows while the page is still being put together. Resolves when it can be drawn, or should be anyway. */
export async function askForFirstView(): Promise<void> {
  const wanted = view.value
  if (wanted.is !== 'home' && wanted.is !== 'table') noteDrawn()
  const reading = askForTypes()
  if (wanted.is === 'home') askForProblems(chosenNamespace.value, reading)
  const get = (name: string) => query.value.get(name) ?? ''
  const namespace = get('ns')
  // An address that names no namespace there can be is for the table to refuse.
  const rows =
    wanted.is === 'table' && (namespace === '' || isSegment(namespace))
      ? askForTable(wanted, { namespace, labelSelector: get('labels'), fieldSelector: get('fields') })
      : undefined
  const answers = Promise.all([reading, rows]).catch(() => undefined)
  await Promise.race([answers, new Promise(resolve => setTimeout(resolve, patienceMs))])
}
