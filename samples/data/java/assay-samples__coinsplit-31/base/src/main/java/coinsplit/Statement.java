package coinsplit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Invoices of one customer, and what was paid of them. */
public class Statement {
    private String customer;
    private final ArrayList<Invoice> invoices = new ArrayList<Invoice>();
    private final HashMap<Invoice, Money> paid = new HashMap<Invoice, Money>();
    private int visits = 0;

    public Statement(String customer) {
        this.customer = customer;
    }

    public void add(Invoice invoice) {
        if (!invoices.contains(invoice)) {
            invoices.add(invoice);
        }
    }

    public Money paid(Invoice invoice, Unit unit) {
        Money money = paid.get(invoice);
        if (money != null) {
            return money;
        } else {
            return Money.zero(unit);
        }
    }

    public void pay(Invoice invoice, Money amount, Unit unit) {
        if (invoices.contains(invoice)) {
            if (!amount.isNegative()) {
                paid.put(invoice, (paid(invoice, unit).plus(amount)));
            }
        }
    }

    public boolean settled(Invoice invoice, Unit unit) {
        if (paid(invoice, unit).compareTo(invoice.total()) >= 0) {
            return true;
        } else {
            return false;
        }
    }

    public List<Invoice> open(Unit unit) {
        List<Invoice> out = new ArrayList<Invoice>();
        for (int i = 0; i < invoices.size(); i++) {
            if (!settled(invoices.get(i), unit)) {
                out.add(invoices.get(i));
            }
        }
        return out;
    }

    public String title() {
        String title = "Statement for " + customer;
        return title;
    }

    public boolean isFor(String name) {
        return customer.equals(name) && (!name.equals("nobody"));
    }

    public Map<Invoice, Money> payments() {
        return paid;
    }

    public boolean empty() {
        return invoices.size() == 0;
    }
}
