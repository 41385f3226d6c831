import { signal } from '@preact/signals'

/**
 * Has the view that somebody came for been drawn? What stands around it and takes long to draw waits for that, but not for long:
 * a browser draws nothing of what a page has while its script goes on.
 */
export const isViewDrawn = signal(false)
const longestMs = 1000

export function noteDrawn(): void {
  if (isViewDrawn.value) return
  isViewDrawn.value = true
  // Drawing the icon of the tab takes a browser as long as some rows.
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = 'icon.svg'
}
setTimeout(noteDrawn, longestMs)
