/** Draws a beacon and switches it. Runs in the browser without a build step. */
export function mount(element, { object, onChange, request, notify }) {
  const lamp = document.createElement('div')
  lamp.style.cssText = 'width: 40px; height: 40px; border-radius: 50%; border: 1px solid; margin-bottom: 8px'
  const button = document.createElement('button')
  button.type = 'button'
  element.append(lamp, button)

  let current = object
  const show = beacon => {
    current = beacon
    // A value of an object may be anything: it is used as a color and as text, never as markup.
    lamp.style.backgroundColor = beacon.spec.lit ? beacon.spec.color : 'transparent'
    button.textContent = beacon.spec.lit ? `Switch off ${beacon.spec.color}` : `Switch on ${beacon.spec.color}`
  }
  button.onclick = async () => {
    const { name, namespace } = current.metadata
    const answer = await request(`/apis/example.com/v1/namespaces/${namespace}/beacons/${name}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { lit: !current.spec.lit } }),
    })
    if (!answer.ok) notify((await answer.json()).message)
  }
  show(object)
  return onChange(show)
}
