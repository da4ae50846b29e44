package dev.tacit.fit.run;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.base.FitException;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import dev.tacit.run.use.ModelJson;
import java.util.Optional;

/**
 * What a fit will release and what it costs, worked out before the data are opened: the method, the plan, its noise, and everything
 * that can be wrong with what was asked.
 */
final class FitPlanning {
    private final FitRequest request;
    private final TableEngine engine;
    private final RunWitness witness;

    FitPlanning(FitRequest request, TableEngine engine, RunWitness witness) {
        this.request = request;
        this.engine = engine;
        this.witness = witness;
    }

    /** Plans and calibrates. */
    FitRun.Prepared prepared(FitRun.Identity identity, boolean resumed) {
        Schema schema = request.schema();
        boolean buys = BoughtBounds.neededBy(schema);
        if (buys && request.boundsShare() == 0) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "the schema says bounds: PRIVATE; declare the bounds, or say with --spend-on-bounds which share of"
                            + " the budget buys them, for example 0.05.");
        }
        if (!buys && request.boundsShare() > 0) {
            throw FitException.usage(
                    "--spend-on-bounds has nothing to buy: no column of the schema says bounds: PRIVATE.");
        }
        try {
            FitMethod<?, ?> method = method(request, buys ? BoughtBounds.placeholder(schema) : schema);
            ModelJson.write(method.use()); // a model without a form in files is a defect that must not cost anything
            ReleasePlan kernelPlan = plan(method, schema.size());
            if (PartyView.turnsOf(kernelPlan).isPresent()) {
                requireTurnsFit(schema, buys);
            }
            if (PartyView.shardsOf(kernelPlan).isPresent()) {
                requireShardsFit(schema, buys);
            }
            witness.require(kernelPlan, schema, request.budget());
            PlanChecks.requireMemory(method, kernelPlan);
            double countShare = countShare(method.kernel());
            ReleasePlan plan = countShare > 0 ? UsableCount.plan(countShare, kernelPlan) : kernelPlan;
            if (buys) {
                plan = BoughtBounds.plan(schema, request.boundsShare(), plan);
            }
            Optional<CalibratedPlan> calibrated = Optional.empty();
            Optional<Confirmed> confirmed = Optional.empty();
            if (request.budget().isPresent()) {
                Neighbours neighbours = schema.privacyUnit().neighbours();
                calibrated =
                        Optional.of(CalibratedPlan.of(plan, request.budget().get(), new ExactAccountant(), neighbours));
                confirmed = PlanChecks.confirmed(
                        calibrated.get().epsilon(),
                        calibrated.get().event(),
                        request.budget().get().delta(),
                        neighbours);
                PlanChecks.requireRoom(plan, calibrated.get().noiseMultiplier(), schema.size());
            }
            engine.require(plan);
            return new FitRun.Prepared(
                    method, kernelPlan, countShare > 0, plan, calibrated, confirmed, identity, resumed);
        } catch (EngineException e) {
            throw Preparations.said(e);
        } catch (SettingException | CalibrationException e) {
            throw new FitException(FitException.Kind.USAGE, FitException.sentence(e.getMessage()), e);
        } catch (SchemaException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }

    /** The share of the budget that the number of usable units gets; 0 if they are not counted. */
    private double countShare(Object kernel) {
        if (request.budget().isEmpty()) {
            return 0;
        }
        boolean fits = UsableCount.fits(kernel);
        if (!fits && request.countShare().orElse(0) > 0) {
            throw FitException.usage("--spend-on-count has nobody who counts: the records are with parties, which"
                    + " are asked for nothing else; leave it out.");
        }
        return fits ? request.countShare().orElse(UsableCount.SHARE) : 0;
    }

    private static void requireTurnsFit(Schema schema, boolean buys) {
        PrivacyUnit unit = schema.privacyUnit();
        if (buys || unit.maxRecords() != 1 || unit.neighbours() != Neighbours.ADD_REMOVE) {
            throw FitException.usage("parties can take turns only if one record is protected that is added or removed,"
                    + " and if all bounds are declared; use --set schedule=synchronous.");
        }
    }

    private static void requireShardsFit(Schema schema, boolean buys) {
        if (buys || schema.privacyUnit().maxRecords() != 1) {
            throw FitException.usage(
                    "shards inside parties can be used only if one record is protected and not a person"
                            + " with several, and if all bounds are declared; use --set way=virtual.");
        }
    }

    /** The method that was asked for, on records of a schema. */
    static FitMethod<?, ?> method(FitRequest request, Schema schema) {
        return MethodCatalogue.find(
                request.model(),
                request.method(),
                DataShapes.of(schema),
                new SettingValues(request.settings()),
                request.budget().isPresent());
    }

    /** The releases that its kernel asks for. */
    static <M, S extends Record> ReleasePlan plan(FitMethod<M, S> method, long publicSize) {
        try {
            return method.kernel().plan(method.model(), publicSize);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new SettingException(e.getMessage());
        }
    }
}
