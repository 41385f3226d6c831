import { askForTypes, chosenNamespace } from './catalogue.js'
import { noteDrawn } from './first-drawing.js'
import { askForTable } from './live-table.js'
import { isSegment } from './path-segment.js'
import { askForProblems } from './problem-scan.js'
import { query, view } from './route.js'

/** How long rendering waits for data, so that it happens once: longer than a nearby server takes, and hardly noticeable. */
const patienceMs = 150

/** Requests the data of the first view before it is mounted. Resolves when the data is there, or after `patienceMs`. */
export async function askForFirstView(): Promise<void> {
  const wanted = view.value
  if (wanted.is !== 'home' && wanted.is !== 'table') noteDrawn()
  const reading = askForTypes()
  if (wanted.is === 'home') askForProblems(chosenNamespace.value, reading)
  const get = (name: string) => query.value.get(name) ?? ''
  const namespace = get('ns')
  // The table itself reports an invalid namespace.
  const rows =
    wanted.is === 'table' && (namespace === '' || isSegment(namespace))
      ? askForTable(wanted, { namespace, labelSelector: get('labels'), fieldSelector: get('fields') })
      : undefined
  const answers = Promise.all([reading, rows]).catch(() => undefined)
  await Promise.race([answers, new Promise(resolve => setTimeout(resolve, patienceMs))])
}
