import { signal } from '@preact/signals'

/**
 * Has the requested view been rendered? The sidebar, which takes long to render, waits for that, though not for long: a browser
 * paints nothing while scripts run.
 */
export const isViewDrawn = signal(false)
const longestMs = 1000

export function noteDrawn(): void {
  if (isViewDrawn.value) return
  isViewDrawn.value = true
  // Set late: rendering the tab's icon takes a browser as long as rendering several rows.
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = 'icon.svg'
}
setTimeout(noteDrawn, longestMs)
