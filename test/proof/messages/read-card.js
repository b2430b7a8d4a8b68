// Runs in the browser's page, beside the library of Adaptive Cards: what the library finds wrong with a card, and what
// it shows of it.
globalThis.readCard = (given) => {
  const { AdaptiveCard, SerializationContext, Version } = globalThis.AdaptiveCards;
  const context = new SerializationContext(new Version(1, 2));
  const card = new AdaptiveCard();
  card.parse(given, context);
  const parsing = Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at));
  const { validationEvents } = card.validateProperties();
  const shown = card.render();
  const count = (selector) => shown?.querySelectorAll(selector).length ?? 0;
  return {
    faults: [...parsing, ...validationEvents].map(({ message }) => message),
    text: shown?.textContent ?? '',
    buttons: count('button'),
    links: count('a'),
    images: count('img'),
    odd: count('script, iframe, object, form'),
  };
};
